export default function () { for (const end = performance.now() + 40; performance.now() < end; ); }
export const exported = () => { for (const end = performance.now() + 40; performance.now() < end; ); };
for (const end = performance.now() + 40; performance.now() < end; );
