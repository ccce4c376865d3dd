// The page of a report: it opens the profile that it holds.
import { remember } from "./address";
import { Change } from "./change";
import { contentOf, tablesOf } from "./columns";
import { Profile } from "./profile";
import { Store } from "./store";
import { element } from "./text";
import { Timeline } from "./timeline";
import { frameOf, viewsOf } from "./views";

async function start() {
  document.body.append(element("p", { role: "status" }, "Opening the profile …"));
  const content = await contentOf(document.getElementById("content")!);
  const { profile, before, sources } = content;
  const change = before ? new Change(new Profile(tablesOf(before, content))) : null;
  const store = new Store(new Profile(tablesOf(profile, content)), change, (file) => (Object.hasOwn(sources, file) ? sources[file] : undefined));
  store.marks = profile.interval > 0 ? profile.marks : []; // weights have no place in time
  const [health, ...more] = profile.about;
  const open = more.some((line) => line.startsWith("lost: ")); // so that losses are seen
  const about = element("details", { open }, element("summary", {}, health ?? "About"), ...more.map((line) => element("p", {}, line)));
  const { search, help, rest, tabs } = frameOf(store, viewsOf(store));
  const heading = element("header", {}, element("h1", {}, profile.title), search, help, about);
  document.body.replaceChildren(heading, new Timeline(store).host, ...rest);
  remember(store, tabs);
  document.documentElement.dataset.ready = "true";
}

start().catch((error: unknown) => {
  document.body.replaceChildren(element("p", { role: "alert" }, `This page cannot be shown: it is not complete, or this browser is older than 2023 (${String(error)}).`));
  throw error;
});
