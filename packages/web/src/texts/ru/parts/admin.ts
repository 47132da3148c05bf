export * from '../admin.ts'
