export const home = {
  navigation: 'Navegación principal',
  back: 'Volver',
  pages: {
    conversations: 'Chats',
    contacts: 'Contactos',
    calls: 'Llamadas',
    meetings: 'Reuniones',
    recordings: 'Grabaciones',
    settings: 'Configuración',
    admin: 'Admin',
  },
  unread: '{{page}}, sin leer: {{number}}',
  connection: {
    offline: 'Sin conexión a internet. Los mensajes se enviarán cuando vuelvas a conectarte.',
    reconnecting: 'Se perdió la conexión. Reconectando…',
    outdated: 'El servidor se ha actualizado. Recarga la página para continuar.',
    reload: 'Recargar página',
  },
}

export const overview = {
  title: 'Empezar o unirse',
  missed: 'Llamadas perdidas',
  recordings: 'Últimas grabaciones',
}
