const colours = process.stdout.isTTY && !process.env.NO_COLOR;

const paint = (code: number) => (text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);

export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const yellow = paint(33);
export const blue = paint(34);
export const cyan = paint(36);
