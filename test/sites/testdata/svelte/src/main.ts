import { mount } from 'svelte';
import App from './App.svelte';

mount(App, { target: document.getElementById('app')! });
navigator.serviceWorker?.register('./sw.js');
