/* global window, Worker, document, postMessage */
// Packages that send functions as text, or read what functions are from it, in a page.
'use strict';

const bytes = (n) => Uint8Array.from({ length: n }, (_, i) => (i * i) % 251);
const later = (run) => new Promise((resolve, reject) => { run((error, value) => (error ? reject(error) : resolve(value))) });

function primes(limit) {
  const found = [];
  for (let n = 2; n < limit; n++) if (found.every((p) => n % p)) found.push(n);
  if (limit < 3) return;
  return found.map((p) => p * 2).join();
}

/** A worker whose script is a function. */
function inWorker(run, data) {
  return new Promise((resolve, reject) => {
    const url = URL.createObjectURL(new Blob([`onmessage=(${run})`], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onerror = (event) => reject(event);
    worker.onmessage = (event) => { worker.terminate(); resolve(event.data) };
    worker.postMessage(data);
  });
}

/** An AAC stream: silence in so many frames, behind a time in an ID3 tag. */
function silence(frames) {
  const id3 = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 63, 0x50, 0x52, 0x49, 0x56, 0, 0, 0, 53, 0, 0, ...new TextEncoder().encode('com.apple.streaming.transportStreamTimestamp'), 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const payload = [0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c];
  const size = payload.length + 7;
  const frame = [0xff, 0xf1, 0x50, 0x80, size >> 3, ((size & 7) << 5) | 0x1f, 0xfc, ...payload];
  return Uint8Array.from([...id3, ...Array.from({ length: frames }, () => frame).flat()]);
}

// eslint-disable-next-line no-unused-vars
const pageCases = {
  async fflate() {
    const { fflate } = window;
    const packed = await later((done) => fflate.gzip(bytes(300_000), done));
    const zipped = await later((done) => fflate.zip({ 'a.txt': bytes(2000), 'b.txt': bytes(700_000) }, done));
    const files = await later((done) => fflate.unzip(zipped, done));
    return [packed.length, (await later((done) => fflate.gunzip(packed, done))).length, zipped.length, Object.keys(files)];
  },

  papaparse: () => new Promise((resolve, reject) => {
    const rows = [];
    window.Papa.parse('a,b\n1,"x,y"\n2,z\n', {
      worker: true, header: true, dynamicTyping: true,
      step: ({ data }) => rows.push(data),
      complete: () => resolve(rows),
      error: reject,
    });
  }),

  async workerpool() {
    const pool = window.workerpool.pool({ maxWorkers: 1 });
    try {
      return [await pool.exec(primes, [40]), await pool.exec((a, b) => a + b, [2, 3])];
    } finally {
      await pool.terminate(true);
    }
  },

  // Its transmuxer is a function of the script, which a worker gets as text. Where the
  // worker fails it goes on without, and says so.
  hls: () => new Promise((resolve) => {
    const { Hls } = window;
    const url = (text, type) => URL.createObjectURL(new Blob([text], { type }));
    const list = url(`#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:3\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:2.3,\n${url(silence(100), 'audio/aac')}\n#EXT-X-ENDLIST\n`, 'application/vnd.apple.mpegurl');
    const said = [];
    const hls = new Hls({ enableWorker: true, debug: false });
    hls.on(Hls.Events.ERROR, (_, { details, event, error }) => said.push(`error ${details} ${event || ''} ${error?.message}`));
    hls.on(Hls.Events.FRAG_PARSING_INIT_SEGMENT, (_, { tracks }) => said.push(Object.values(tracks).map(({ container, codec }) => `${container} ${codec}`).join()));
    hls.on(Hls.Events.FRAG_PARSED, () => {
      said.push('parsed');
      hls.destroy();
      resolve(said);
    });
    const media = document.createElement('audio');
    hls.attachMedia(media);
    hls.loadSource(list);
  }),

  // Its three parts are functions; two of them go to workers, as text.
  maplibre: () => new Promise((resolve, reject) => {
    const points = Array.from({ length: 50 }, (_, i) => ({ type: 'Feature', properties: { i }, geometry: { type: 'Point', coordinates: [i / 10, i / 20] } }));
    const map = new window.maplibregl.Map({
      container: 'map', center: [0, 0], zoom: 1, fadeDuration: 0,
      style: {
        version: 8,
        sources: { points: { type: 'geojson', data: { type: 'FeatureCollection', features: points }, cluster: true, clusterRadius: 10 } },
        layers: [{ id: 'points', type: 'circle', source: 'points', paint: { 'circle-radius': ['interpolate', ['linear'], ['zoom'], 0, 3, 10, 30] } }],
      },
    });
    map.on('error', ({ error }) => reject(error));
    map.once('idle', () => {
      resolve(map.querySourceFeatures('points').map(({ properties }) => properties.point_count || properties.i));
    });
  }),

  async troika() {
    const { defineWorkerModule } = window.troika_worker_utils;
    const base = defineWorkerModule({ name: 'base', init() { return (n) => { for (let i = 0; i < 2; i++) n *= 3; return n } } });
    const run = defineWorkerModule({
      name: 'run',
      dependencies: [base, 4],
      init(triple, four) { return (n) => ({ sum: triple(n) + four, inWorker: typeof window === 'undefined' }) },
    });
    return run(5);
  },

  // Which services a function wants it reads from the function's text.
  angular() {
    const { angular } = window;
    angular.module('app', []).value('one', 1).factory('two', function (one) { if (!one) return; return one + 1 })
      .service('three', class { constructor(one, two) { this.sum = one + two } })
      .config(($provide) => { $provide.decorator('two', ($delegate) => $delegate * 10) });
    return angular.injector(['ng', 'app']).invoke((three, /* the second */ two) => [three, two]);
  },

  obfuscated: () => window.obfuscated,

  worker: async () => [
    await inWorker((event) => { let sum = 0; for (const n of event.data) sum += n; postMessage(sum) }, [1, 2, 3]),
    await inWorker(function ({ data }) { if (!data) return; postMessage(data.split('').reverse().join('')) }, 'abc'),
  ],

  evaluated: () => [new Function(`return ${primes}`)()(30), primes + '', String(silence)],

  // A frame has no runtime.
  frame() {
    const frame = document.body.appendChild(document.createElement('iframe'));
    return [frame.contentWindow.eval(`(${primes})`)(20), frame.contentWindow.eval(`(${(a) => a.length})`)('abc')];
  },
};
