/** Entry point of the code of the pages of signed-in users, which is loaded for them only. */
export { HomePages } from './HomePages.tsx'
