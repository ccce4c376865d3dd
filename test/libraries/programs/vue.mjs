// Compiles templates, renders them on the server, and follows reactive state.
import { compile, computed, createSSRApp, effect, h, nextTick, reactive, ref, watch } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { digest } from './digest.mjs';

const Item = { props: ['id', 'done'], emits: ['toggle'], template: '<li :class="{ done, odd: id % 2 }" @click="$emit(`toggle`, id)"><slot :id="id">{{ id }}</slot></li>' };
const App = {
  components: { Item },
  setup() {
    const items = reactive(Array.from({ length: 12 }, (_, id) => ({ id, done: id % 3 === 0 })));
    const left = computed(() => items.filter((i) => !i.done).length);
    return { items, left, text: ref('<b>&amp;'), toggle: (id) => { items[id].done = !items[id].done; } };
  },
  template: `<h1 :style="{ color: 'red', fontSize: left + 'px' }">{{ left }} left</h1><input v-model="text"><ul><Item v-for="i of items" :key="i.id" v-bind="i" @toggle="toggle"><template #default="{ id }"><em v-if="id > 5">{{ id.toString(2) }}</em><i v-else-if="id">{{ text }}</i><s v-else v-html="text" /></template></Item></ul><Teleport to="#x" disabled>t</Teleport>`,
};
console.log(await renderToString(createSSRApp(App)));
console.log(await renderToString(createSSRApp({ async setup() { await nextTick(); return () => h('p', ['late', h('br')]); } })));
console.log(digest(compile(App.template).toString()).length);

const state = reactive({ a: 1, list: [1, 2], map: new Map([['k', 1]]) });
const seen = [];
effect(() => seen.push(['effect', state.a, state.list.length, [...state.map.values()]]));
watch(() => state.a, (now, before) => seen.push(['watch', now, before]));
state.a++; state.list.push(3); state.map.set('l', 2); state.map.delete('k'); state.a = 7;
await nextTick();
console.log(JSON.stringify(seen));
