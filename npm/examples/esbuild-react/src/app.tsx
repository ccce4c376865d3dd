import { useState } from "react";
import { createRoot } from "react-dom/client";
import { least } from "./path";

interface Props {
  sizes: number[];
}

function Table({ sizes }: Props) {
  const [more, setMore] = useState(0);
  return (
    <>
      <button id="work" onClick={() => setMore(more + 1)}>
        more
      </button>
      <ul id="result">
        {sizes.map((size) => (
          <li key={size}>
            {size}: {least(size, more)}
          </li>
        ))}
      </ul>
    </>
  );
}

createRoot(document.getElementById("root")!).render(<Table sizes={[60, 120, 180]} />);
