/// <reference lib="dom" />
import { orders } from './orders.ts';

window.bench = orders;
document.title = 'ready';
