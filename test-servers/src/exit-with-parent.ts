/**
 * Loaded into every script before the script itself: ends it once its parent is gone, however that died. A look from
 * time to time, since a listener on the channel would keep a script alive that has nothing left to do. The look is at
 * the parent, not at the channel: a script that closes its own channel ends as it likes, with an exit code of its own.
 */
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 250).unref();
