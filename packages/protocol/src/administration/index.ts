export * from './audit.ts'
export * from './paging.ts'
export * from './service-accounts.ts'
export * from './users.ts'
