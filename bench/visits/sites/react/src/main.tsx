import { Suspense, lazy } from 'react';
import { createRoot } from 'react-dom/client';
import { HashRouter, NavLink, Route, Routes } from 'react-router';
import { Shop } from './Shop';
import './main.css';

const Statistics = lazy(() => import('./Statistics'));

function App() {
  return (
    <HashRouter>
      <nav>
        <NavLink to="/">Shop</NavLink> <NavLink to="/statistics" id="statistics">Statistics</NavLink>
      </nav>
      <Suspense fallback={<p>…</p>}>
        <Routes>
          <Route path="/" element={<Shop />} />
          <Route path="/statistics" element={<Statistics />} />
        </Routes>
      </Suspense>
    </HashRouter>
  );
}

createRoot(document.getElementById('root')!).render(<App />);
