import { products } from '../../common/products';

onmessage = ({ data }: MessageEvent<number>) => {
  postMessage(products(data).reduce((sum, { stock }) => sum + stock, 0));
};
