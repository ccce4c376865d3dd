// A spreadsheet of a stock: a large library, of which a page runs much before it shows anything.
import { AllCommunityModule, type ColDef, type GridApi, ModuleRegistry, createGrid } from 'ag-grid-community';
import { type Product, products } from '../../common/products';

ModuleRegistry.registerModules([AllCommunityModule]);

interface Line extends Product {
  ordered: number;
}

const lines: Line[] = products(8000).map((product) => ({ ...product, ordered: product.stock % 7 }));

const money = (value: number) => value.toLocaleString('en', { minimumFractionDigits: 2 });

const columns: ColDef<Line>[] = [
  { field: 'id', width: 80 },
  { field: 'name', filter: true, width: 200 },
  { field: 'maker', filter: true, width: 100 },
  { field: 'price', editable: true, width: 100, valueFormatter: ({ value }) => money(value) },
  { field: 'stock', editable: true, width: 90 },
  { field: 'ordered', editable: true, width: 90 },
  { headerName: 'worth', colId: 'worth', width: 120, valueGetter: ({ data }) => data!.price * (data!.stock + data!.ordered), valueFormatter: ({ value }) => money(value) },
];

function sum(api: GridApi<Line>): void {
  let worth = 0;
  let count = 0;
  api.forEachNodeAfterFilter(({ data }) => {
    worth += data!.price * data!.stock;
    count++;
  });
  document.getElementById('sum')!.textContent = `${count} lines worth ${money(Math.round(worth))}`;
}

const root = document.getElementById('root')!;
const grid = createGrid<Line>(root, {
  rowData: lines,
  columnDefs: columns,
  defaultColDef: { sortable: true },
  animateRows: false,
  onFirstDataRendered: ({ api }) => {
    sum(api);
    performance.mark('ready');
  },
  onFilterChanged: ({ api }) => {
    sum(api);
    root.dataset.found = api.getQuickFilter() ?? '';
  },
  onSortChanged: ({ api }) => {
    root.dataset.sorted = api.getColumnState().flatMap(({ colId, sort }) => (sort ? [`${colId} ${sort}`] : [])).join();
  },
});

document.getElementById('find')!.addEventListener('input', ({ target }) => {
  grid.setGridOption('quickFilterText', (target as HTMLInputElement).value);
});
