/** The small version of hls.js, which has no types of its own: without subtitles, encryption and separate voices. */
declare module 'hls.js/light' {
  export * from 'hls.js';
  export { default } from 'hls.js';
}
