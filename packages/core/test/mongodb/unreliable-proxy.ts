import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and can lose an answer: the server has done what was asked, nobody knows. */
export class UnreliableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #losing = false;

  constructor(port: number, host: string) {
    this.#server = createServer((client) => {
      const upstream = connect(port, host);
      this.#keep(client, upstream);
      client.on('data', (data) => upstream.write(data));
      upstream.on('data', (data) => {
        if (!this.#losing) client.write(data);
        else {
          this.#losing = false;
          client.destroy();
          upstream.destroy();
        }
      });
    });
  }

  /** Starts it; answers its port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Loses the next answer that comes, and the connection with it. */
  loseNextAnswer(): void {
    this.#losing = true;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #keep(client: Socket, upstream: Socket): void {
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
