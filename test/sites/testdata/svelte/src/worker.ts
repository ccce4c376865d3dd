import { roman } from './roman';

onmessage = ({ data }: MessageEvent<number>) => postMessage(roman(data));
