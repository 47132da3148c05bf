import type { onRequestAsyncHookHandler } from 'fastify'

/** Routes that are counted together for each client address. */
export type Rate = 'login' | 'refresh' | 'guest' | 'token' | 'link' | 'control' | 'search'

/** Part of a route's options. Routes with the same rate share one counter for each address. */
export type Limits = (rate: Rate) => { onRequest?: onRequestAsyncHookHandler | undefined }
