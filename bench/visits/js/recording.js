visited.profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 100_000 });
visited.samples = async () => (await visited.profiler.stop()).samples.filter(({ stackId }) => stackId !== undefined).length;
