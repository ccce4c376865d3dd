import { useState } from 'react';
import { where } from './deep/place';

const version: string = 'one';

export function Counter() {
  const [count, setCount] = useState(0);
  Object.assign(window, { stack: where(() => count) });
  return (
    <button id="add" onClick={() => setCount(count + 1)}>
      {`${version} ${count}`}
    </button>
  );
}
