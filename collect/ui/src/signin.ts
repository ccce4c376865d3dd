// The form that asks for the token.
import { element } from "../../../profile/report/src/text";
import { ApiError, signIn } from "./api";
import { docsLink } from "./hints";

export function signInForm(done: () => void): HTMLElement {
  const token = element("input", { type: "password", name: "token", id: "token", autocomplete: "current-password", required: true, spellcheck: "false" });
  const send = element("button", { type: "submit", class: "primary" }, "Sign in");
  const said = element("p", { role: "alert", class: "refusal" });
  const form = element(
    "form",
    { class: "signin", "aria-label": "Sign in" },
    element("h2", {}, "Sign in"),
    element("label", { for: "token" }, "Access token"),
    token,
    send,
    said,
    element("p", { class: "soft" }, "The collector printed one when it first started; others are in its configuration: ", docsLink("collect", "about tokens"), "."),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send.disabled = true;
    said.textContent = "";
    signIn(token.value)
      .then(done)
      .catch((error: unknown) => {
        const isWrong = error instanceof ApiError && error.status === 401;
        said.textContent = isWrong ? "This token is not known. Check that all of it was copied." : error instanceof ApiError ? error.message : "No answer from the collector. Is it running?";
        token.focus();
      })
      .finally(() => (send.disabled = false));
  });
  return form;
}
