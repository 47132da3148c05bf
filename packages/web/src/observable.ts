export { Observable } from '@lectern/common'
