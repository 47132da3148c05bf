/** `@lectern/server/testing`: the engines of a cluster, for stories and `npm run cluster`. */
export { type NatsServer, startNats } from './nats.ts'
export { type PostgresServer, startPostgres } from './postgres.ts'
export { queryPostgres } from './query.ts'
export { type BucketSettings, Swift } from './swift.ts'
