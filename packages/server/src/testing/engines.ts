/** `@lectern/server/testing`: the engines of a cluster, and accounts with much history, for stories and `bench`. */
export { AccountFiller } from './account-filler.ts'
export { TestAuthority } from './certificates.ts'
export { freePort } from './free-port.ts'
export { type NatsServer, startNats } from './nats.ts'
export { type PostgresServer, startPostgres } from './postgres.ts'
export { queryPostgres } from './query.ts'
export { type BucketSettings, Swift } from './swift.ts'
export { type CollectedSpan, TraceCollector } from './trace-collector.ts'
