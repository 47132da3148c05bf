export * from '../admin.ts'
export * from '../admin-pages.ts'
export * from '../partner-console.ts'
