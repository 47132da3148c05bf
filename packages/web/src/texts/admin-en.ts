import { admin } from './en/admin.ts'

/** Texts of the administration, which load with its code. */
export const adminEn = { admin }
