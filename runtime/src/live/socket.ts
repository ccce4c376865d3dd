// The browser's WebSocket, as it was when this script was loaded: pages and their
// libraries replace and observe it.
import { describe } from "../core/text";
import { apply } from "../core/text";
import { subprotocol, type Socket, type SocketEvents } from "./protocol";

const { WebSocket, EventTarget } = globalThis;
const { send, close } = WebSocket?.prototype ?? {};
const buffered = WebSocket && describe(WebSocket.prototype, "bufferedAmount")?.get;
const listen = EventTarget?.prototype.addEventListener;

/** Listens in a way that the page neither notices nor can be harmed by. */
export function on<E extends Event>(target: EventTarget, type: string, hear: (event: E) => void, capture = false) {
  const heard = (event: Event) => {
    try {
      hear(event as E);
    } catch {
      // The error does not concern the page.
    }
  };
  apply(listen, target, [type, heard, capture]);
}

/** Opens a socket. Throws where there are none, or where a policy forbids this one. */
export function openSocket(url: string, events: SocketEvents): Socket {
  const socket = new WebSocket(url, subprotocol);
  on(socket, "open", () => events.open());
  on<MessageEvent>(socket, "message", ({ data }) => events.message(data));
  on<CloseEvent>(socket, "close", ({ code }) => events.closed(code));
  return {
    send: (text) => apply(send!, socket, [text]),
    close: (why) => apply(close!, socket, [1000, why]),
    buffered: () => (buffered ? apply(buffered, socket, []) : socket.bufferedAmount),
  };
}
