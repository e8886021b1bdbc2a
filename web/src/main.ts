import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app')!;
if (/^\/staff(\/|$)/.test(location.pathname)) {
  // Staff pages create no guest session and are not loaded by players.
  void import('./staff/Staff.svelte').then(({ default: Staff }) => mount(Staff, { target }));
} else if (location.pathname === '/launch') {
  // Before the session begins, so that no guest is created.
  void import('./shell/Launch.svelte').then(({ default: Launch }) => mount(Launch, { target }));
} else if (location.pathname === '/oidc/callback') {
  void import('./shell/IdentityServerReturn.svelte').then(({ default: Return }) => mount(Return, { target }));
} else if (location.pathname.startsWith('/replay/')) {
  // A shared replay is for people without a session, and makes none.
  void import('./shared/SharedReplay.svelte').then(({ default: SharedReplay }) =>
    mount(SharedReplay, { target }),
  );
} else {
  mount(App, { target });
}
