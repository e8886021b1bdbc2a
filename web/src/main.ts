import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app')!;
if (/^\/staff(\/|$)/.test(location.pathname)) {
  // Staff pages create no guest session and are not loaded by players.
  void import('./staff/Staff.svelte').then(({ default: Staff }) => mount(Staff, { target }));
} else {
  mount(App, { target });
}
