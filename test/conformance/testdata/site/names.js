// The content of frames: static names, and where functions are defined.
const external = new URL('external.js', location.href).href;
const here = new URL('names.js', location.href).href;
const says = (statement, name, head, act, url = here) =>
  state(statement, async () => {
    const trace = await profile(act);
    await defined(trace, name, url, head);
  });

says('a function declaration', 'declared', 'function declared(', (sample) => {
  function declared(sample) {
    sample();
  }
  declared(sample);
});
says('a named function expression', 'expressed', 'function expressed(', (sample) => {
  const other = function expressed(sample) {
    sample();
  };
  other(sample);
});
says('an anonymous function has the name of what it is the value of', 'other', 'function /* none */ (', (sample) => {
  const other = function /* none */ (sample) {
    sample();
  };
  other(sample);
});
says('a class method', 'method', 'method(', (sample) => {
  class Some {
    method(sample) {
      sample();
    }
  }
  new Some().method(sample);
});
says('a static method', 'fixed', 'static fixed(', (sample) => {
  class Some {
    static fixed(sample) {
      sample();
    }
  }
  Some.fixed(sample);
});
says('a getter', 'get gotten', 'get gotten(', (sample) => {
  class Some {
    get gotten() {
      sample();
      return 1;
    }
  }
  return new Some().gotten;
});
says('a setter', 'set given', 'set given(', (sample) => {
  class Some {
    set given(value) {
      sample(value);
    }
  }
  new Some().given = 5;
});
says('a getter of an object', 'get own', 'get own(', (sample) => {
  return {
    get own() {
      sample();
      return 1;
    },
  }.own;
});
says('a private method', '#secret', '#secret(', (sample) => {
  class Some {
    #secret(sample) {
      sample();
    }
    open(sample) {
      this.#secret(sample);
    }
  }
  new Some().open(sample);
});
says('a constructor has the name of its class', 'Built', 'constructor(', (sample) => {
  class Built {
    constructor(sample) {
      sample();
    }
  }
  new Built(sample);
});
says('a method of an object', 'methodOfObject', 'methodOfObject(', (sample) => {
  ({
    methodOfObject(sample) {
      sample();
    },
  }).methodOfObject(sample);
});
says('the name of a function that was renamed is the one it was written with', 'written', 'function written(', (sample) => {
  function written(sample) {
    sample();
  }
  Object.defineProperty(written, 'name', { value: 'changed' });
  written(sample);
});
says('a function of an external script', 'externalFunction', 'function externalFunction(', (sample) => externalFunction(sample), external);
says('an async function', 'externalAsync', 'function externalAsync(', (sample) => externalAsync(sample), external);
says('a generator', 'externalGenerator', 'function* externalGenerator(', (sample) => externalGenerator(sample).next(), external);
says('a function of an inline script', 'inlineOuter', 'function inlineOuter(', (sample) => inlineOuter(sample), location.href);
says('so has an arrow function', 'externalArrow', 'externalArrow = (', (sample) => externalArrow(sample), external);
says('and one in a property', 'property', 'property: (', (sample) => ({ property: (sample) => { sample(); } }).property(sample));
says('and one in a field', 'field', 'field = (', (sample) => {
  class Some {
    field = (sample) => {
      sample();
    };
  }
  new Some().field(sample);
});
says('one that is assigned to a property has none', '', 'assigned = (', (sample) => {
  const some = {};
  some.assigned = (sample) => {
    sample();
  };
  some.assigned(sample);
});
state('a stack goes from the innermost frame to the outermost', async () => {
  const trace = await profile((sample) => inlineOuter(sample));
  const chains = stacksOf(trace).map((frames) => frames.map((frame) => frame.name).join('<'));
  holds(chains.some((chain) => chain.includes('inlineInner<inlineOuter<')), chains.join(' '));
});
state('the hottest function has most of the samples', async () => {
  const trace = await profile((sample) => sample());
  const spinning = stacksOf(trace).filter((frames) => frames.length && frames[0].name === 'spin');
  holds(spinning.length > 0, `${spinning.length} of ${trace.samples.length}`);
});
state('a resource is an absolute URL as it is deployed', async () => {
  const trace = await profile((sample) => externalFunction(sample));
  for (const resource of trace.resources) equal(new URL(resource).href, resource);
});
state('no frame is the profiler\'s own', async () => {
  const trace = await profile((sample) => inlineOuter(sample));
  holds(!trace.resources.some((resource) => resource.includes('/fieldprof/')), trace.resources.join(' '));
});
state('eval', async () => {
  const trace = await profile((sample) => (0, eval)('(function evaluated(sample) { sample(); })')(sample));
  holds(named(trace, 'spin').length > 0, 'the function it calls is not there');
});
