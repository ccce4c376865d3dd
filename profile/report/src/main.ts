// The page of a report: it opens the profile that it holds.
import { remember } from "./address";
import { contentOf } from "./columns";
import { aboutOf, storeOf } from "./open";
import { element } from "./text";
import { Timeline } from "./timeline";
import { frameOf, viewsOf } from "./views";

async function start() {
  document.body.append(element("p", { role: "status" }, "Opening the profile …"));
  const content = await contentOf(document.getElementById("content")!);
  const store = storeOf(content);
  const { search, help, rest, tabs } = frameOf(store, viewsOf(store));
  const heading = element("header", {}, element("h1", {}, content.profile.title), search, help, aboutOf(content.profile));
  document.body.replaceChildren(heading, ...(store.profile.isSum ? [] : [new Timeline(store).host]), ...rest);
  remember(store, tabs);
  document.documentElement.dataset.ready = "true";
}

start().catch((error: unknown) => {
  document.body.replaceChildren(element("p", { role: "alert" }, `This page cannot be shown: it is not complete, or this browser is older than 2023 (${String(error)}).`));
  throw error;
});
