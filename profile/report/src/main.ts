// The page of a report: it opens the profile that it holds.
import { Change } from "./change";
import { contentOf, tablesOf } from "./columns";
import { Profile } from "./profile";
import { Store } from "./store";
import { element } from "./text";
import { Timeline } from "./timeline";
import { searchOf, tabs, viewsOf } from "./views";

async function start() {
  document.body.append(element("p", { role: "status" }, "Opening the profile …"));
  const content = await contentOf(document.getElementById("content")!);
  const { profile, before, sources } = content;
  const change = before ? new Change(new Profile(tablesOf(before, content))) : null;
  const store = new Store(new Profile(tablesOf(profile, content)), change, (file) => (Object.hasOwn(sources, file) ? sources[file] : undefined));
  const [health, ...more] = profile.about;
  const open = more.some((line) => line.startsWith("lost: ")); // so that losses are seen
  const about = element("details", { open }, element("summary", {}, health ?? "About"), ...more.map((line) => element("p", {}, line)));
  const heading = element("header", {}, element("h1", {}, profile.title), searchOf(store), about);
  const [list, panel] = tabs(viewsOf(store));
  document.body.replaceChildren(heading, new Timeline(store).host, list, panel);
  document.documentElement.dataset.ready = "true";
}

start().catch((error: unknown) => {
  document.body.replaceChildren(element("p", { role: "alert" }, `This page cannot be shown: it is not complete, or this browser is older than 2023 (${String(error)}).`));
  throw error;
});
