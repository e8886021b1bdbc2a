import type { IceServer } from '../wire';

/** The configuration of a connection that may go through these servers, beside the direct way. */
export const through = (servers: readonly IceServer[]): RTCConfiguration => ({
  iceServers: servers.map((each) => ({ ...each, urls: [...each.urls] })),
});
