export const signIn = {
  title: 'Entrar',
  text: 'Com uma conta, você pode enviar mensagens, ligar para outras pessoas e criar suas próprias reuniões.',
  needed: 'Entre para abrir esta página.',
  login: 'Nome de usuário',
  loginMissing: 'Digite seu nome de usuário.',
  password: 'Senha',
  passwordMissing: 'Digite sua senha.',
  verb: 'Entrar',
  busy: 'Entrando…',
  next: 'Você pode tentar de novo {{when}}.',
  problem: {
    wrong: 'Nome de usuário ou senha incorretos.',
    deleted: 'Esta conta foi excluída.',
    disabled: 'Um administrador desativou esta conta.',
    limited: 'Muitas tentativas da sua rede.',
    busy: 'Muitas pessoas estão entrando agora. Tente de novo em instantes.',
    unconfigured: 'Ninguém consegue entrar: este servidor ainda não está configurado para isso.',
    unreachable:
      'Não foi possível conectar ao servidor. Verifique sua conexão com a internet e tente de novo.',
    failing: 'O servidor está com problemas. Tente de novo em instantes.',
  },
}
