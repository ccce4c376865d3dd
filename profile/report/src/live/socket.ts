// A WebSocket that connects again for as long as there is a page, with growing pauses.
import { subprotocol, type FromServer, type ToServer } from "./protocol";

/** With this code a server closes after it has said why. */
const refused = 1008;

const [shortest, longest] = [250, 5000];

export interface Ears {
  opened(): void;
  heard(message: FromServer): void;
  /** The connection is lost, and is tried again after so many milliseconds. */
  lost(after: number): void;
}

export class Socket {
  private socket: WebSocket | null = null;
  private pause = shortest;
  private since = 0; // when it connected last

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly ears: Ears,
  ) {
    this.connect();
  }

  send(message: ToServer) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private connect() {
    const socket = (this.socket = new WebSocket(this.url, subprotocol));
    socket.onopen = () => {
      this.since = performance.now();
      this.ears.opened();
      socket.send(JSON.stringify({ type: "watch", version: 1, token: this.token }));
    };
    socket.onmessage = ({ data }) => {
      try {
        const message = JSON.parse(String(data)) as FromServer;
        this.ears.heard(message);
      } catch (error) {
        console.error("fieldprof: a message cannot be understood:", error);
        socket.close(); // the server sends all again
      }
    };
    socket.onclose = ({ code }) => {
      if (code === refused) return; // trying again would not help
      if (this.since > 0 && performance.now() - this.since > longest) this.pause = shortest; // it worked
      this.since = 0;
      this.ears.lost(this.pause);
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(longest, 2 * this.pause);
    };
  }
}
