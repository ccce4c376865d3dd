// Runs the JSON Schema test suite (draft 4, which the npm package holds).
import Ajv from 'ajv-draft-04';
import suite from 'json-schema-test-suite';
import { attempt, digest } from './digest.mjs';

let right = 0;
const all = [];
for (const { name, schemas } of suite.draft4((file, parent, optional) => !optional && file !== 'refRemote.json')) {
  for (const { description, schema, tests } of schemas) {
    const ajv = new Ajv.default({ strict: false, allErrors: true, logger: false, addUsedSchema: false });
    const validate = attempt(() => ajv.compile(schema));
    for (const test of tests) {
      const valid = typeof validate === 'string' ? validate : validate(test.data);
      if (valid === test.valid) right++;
      all.push([name, description, valid, validate.errors]);
    }
  }
}
console.log(`${right} of ${all.length} as the suite says`, digest(all));
if (right < 200) throw new Error('the suite was not understood');
