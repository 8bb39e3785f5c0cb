import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A client, the server that it talks to, and whether anything still gets through between them. */
interface Line {
  readonly client: Socket;
  readonly server: Socket;
  isDead: boolean;
  /** Whether jobs have passed over it, and not only the driver's questions whether the server is there. */
  hasWorked: boolean;
}

/** What is said over a connection that works. */
const WORK = 'monque_jobs';

/** What happens to what passes through. */
type Mode = 'pass' | 'hold' | 'swallow';

/** A proxy between clients and a server that breaks their connections in the ways in which networks do. */
export class BadNetwork implements AsyncDisposable {
  readonly #listener: Server;
  readonly #lines = new Set<Line>();
  #mode: Mode = 'pass';

  private constructor(port: number, host: string) {
    this.#listener = createServer({ allowHalfOpen: true }, (client) => this.#accept(client, port, host));
  }

  static async before(port: number, host: string): Promise<BadNetwork> {
    const network = new BadNetwork(port, host);
    network.#listener.listen(0, '127.0.0.1');
    await once(network.#listener, 'listening');
    return network;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Breaks every connection at once, as a server does that dies. */
  cut(): void {
    for (const { client, server } of this.#lines) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** Closes every connection towards the client only: what the client says still reaches the server. */
  halfClose(): void {
    for (const { client } of this.#lines) client.end();
  }

  /** Holds everything back; it arrives late, but it arrives. */
  hold(): void {
    this.#mode = 'hold';
    for (const { client, server } of this.#lines) for (const socket of [client, server]) socket.pause();
  }

  /** A black hole: connections stand, also new ones, and nothing comes out of them in either direction. */
  swallow(): void {
    this.#mode = 'swallow';
    this.swallowOld();
  }

  /** The same for the connections that there are; new ones are as always. */
  swallowOld(): void {
    for (const line of this.#lines) line.isDead = true;
  }

  /** The same, but the driver sees that the server is there, and has no reason to give its connections up. */
  swallowWorking(): void {
    for (const line of this.#lines) line.isDead = line.hasWorked;
  }

  /** All is well again. Connections that fell into a black hole stay there, as they do. */
  pass(): void {
    this.#mode = 'pass';
    for (const { client, server } of this.#lines) for (const socket of [client, server]) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    this.cut();
    await closed;
  }

  #accept(client: Socket, port: number, host: string): void {
    const server = connect({ port, host, allowHalfOpen: true });
    const line: Line = { client, server, isDead: this.#mode === 'swallow', hasWorked: false };
    this.#lines.add(line);
    forward(line, client, server);
    forward(line, server, client);
    client.once('close', () => this.#lines.delete(line));
    if (this.#mode === 'hold') for (const socket of [client, server]) socket.pause();
  }
}

function forward(line: Line, from: Socket, to: Socket): void {
  from.on('data', (data) => {
    line.hasWorked ||= data.includes(WORK);
    if (!line.isDead && to.writable) to.write(data);
  });
  from.on('end', () => {
    if (!line.isDead) to.end();
  });
  // Which of the ways a connection broke in is no matter: the other half goes with it.
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}
