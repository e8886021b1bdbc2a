import { mount } from 'svelte';
import '../../src/app.css';
import Live from './Live.svelte';

mount(Live, { target: document.getElementById('app')! });
