import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app')!;
if (/^\/staff(\/|$)/.test(location.pathname)) {
  // Staff are no players: their pages make no guest, and are fetched by nobody else.
  void import('./staff/Staff.svelte').then(({ default: Staff }) => mount(Staff, { target }));
} else {
  mount(App, { target });
}
