// A button in a corner of the page: starts and stops the profile, and opens the panel. It
// is in a closed shadow tree and outside the layout, and only there if it was asked for.
import { on } from "./socket";
import type { State } from "./streamer";

const look = {
  host: "all:initial;position:fixed;inset:auto 12px 12px auto;z-index:2147483647;contain:content;color-scheme:light dark",
  box: "display:flex;align-items:center;gap:2px;padding:2px;border:1px solid GrayText;border-radius:8px;background:Canvas;color:CanvasText;font:13px/1.2 system-ui,sans-serif",
  part: "all:unset;cursor:pointer;padding:6px 8px;border-radius:6px;min-width:24px;text-align:center;font-variant-numeric:tabular-nums",
};

/** Shows the button, and returns what updates it. */
export function showOverlay(panel: string, toggle: () => void): (state: State) => void {
  const { document } = globalThis;
  const element = <K extends keyof HTMLElementTagNameMap>(name: K, style: string) => {
    const made = document.createElement(name);
    made.style.cssText = style; // a policy may forbid style sheets, not this
    return made;
  };
  const host = element("div", look.host);
  const box = element("div", look.box);
  const button = element("button", look.part);
  const link = element("a", look.part);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Live profile");
  button.type = "button";
  Object.assign(link, { href: panel, target: "_blank", rel: "noopener", textContent: "↗" });
  link.setAttribute("aria-label", "Open the panel of live profiles");
  link.title = "Open the panel";
  for (const part of [button, link]) {
    on(part, "focus", () => (part.style.outline = part.matches(":focus-visible") ? "2px solid Highlight" : ""));
    on(part, "blur", () => (part.style.outline = ""));
  }
  on(button, "click", (event) => {
    event.stopPropagation();
    toggle();
  });
  box.append(button, link);
  host.attachShadow({ mode: "closed" }).append(box);
  const show = () => document.documentElement.append(host);
  if (document.readyState === "complete") show();
  else on(globalThis as unknown as EventTarget, "load", show);
  return ({ isConnected, isRecording, samples, why }) => {
    button.textContent = `${isRecording ? "■" : "●"} ${isRecording || samples ? samples : ""}`.trim();
    button.setAttribute("aria-label", `${isRecording ? "Stop" : "Start"} the profile of this page, ${samples} samples`);
    button.setAttribute("aria-pressed", String(isRecording));
    button.title = isConnected ? (isRecording ? "Stop the profile" : "Start a profile") : why || "No connection to the server";
    button.style.opacity = isConnected ? "1" : "0.5";
  };
}
