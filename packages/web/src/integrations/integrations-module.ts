/** Entry point of the code for owners of technical users, which is loaded for them only. */
export { IntegrationPages } from './IntegrationPages.tsx'
