new Profiler({ sampleInterval: 10, maxBufferSize: 1000 }).stop().then(trace => postMessage({ trace }), error => postMessage({ error: String(error) }));
