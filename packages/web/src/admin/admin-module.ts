/** Entry point of the code of administrators, which is loaded for them only. */
export { AdminPages } from './AdminPages.tsx'
