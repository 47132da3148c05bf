/** Sign-in at an identity provider. */
export const sso = {
  verb: 'Iniciar sesión con {{name}}',
  or: 'o',
  leaving: 'Abriendo la página de inicio de sesión…',
  completing: 'Iniciando sesión…',
  wait: 'Solo tardará un momento.',
  failed: 'No se pudo iniciar sesión',
  linkFailed: 'No se pudo vincular tu cuenta',
  back: 'Volver',
  problems: {
    expired:
      'Este inicio de sesión ha caducado, ya se usó o se inició en otra pestaña o en otro navegador. Vuelve a empezar.',
    cancelled: 'Se canceló el inicio de sesión o no tienes permiso para usar este servicio.',
    'no-account': 'Aquí no tienes ninguna cuenta. Pide una al administrador de este servidor.',
    deleted: 'Tu cuenta en este servidor se ha eliminado.',
    disabled: 'Un administrador ha desactivado tu cuenta.',
    taken: 'Esa cuenta pertenece aquí a otra persona o ya has vinculado otra.',
    provider: 'El servicio de inicio de sesión no responde como debería. Inténtalo más tarde.',
    limited: 'Demasiados intentos desde tu red. Vuelve a intentarlo dentro de un minuto.',
    unreachable: 'No hay conexión con el servidor. Revisa tu conexión a internet y vuelve a intentarlo.',
    storage:
      'Tu navegador no permite que esta página guarde datos, y esta forma de iniciar sesión los necesita.',
    failing: 'El servidor tiene problemas. Vuelve a intentarlo en un momento.',
  },
}
