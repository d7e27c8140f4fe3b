drop function {{trust}}.gcos_pulse(text);
