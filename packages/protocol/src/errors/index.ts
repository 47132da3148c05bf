export * from './catalogue.ts'
export * from './refusal.ts'
