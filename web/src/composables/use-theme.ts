// Owns the theme: it follows the system unless the user chose one, and the choice is kept in this browser.
import { ref, watchEffect } from 'vue';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'gcos.theme';

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
}

const theme = ref<Theme>(stored());

watchEffect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
  localStorage.setItem(KEY, theme.value);
});

export function useTheme() {
  return { theme };
}
