import { early } from './imports.js';
export const late = early() + ' and late';
