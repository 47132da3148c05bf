export * from '../admin.ts'
export * from '../partner-console.ts'
