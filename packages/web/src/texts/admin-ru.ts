import type { AdminTexts } from './catalogue.ts'
import { admin } from './ru/admin.ts'

export const adminRu: AdminTexts = { admin }
