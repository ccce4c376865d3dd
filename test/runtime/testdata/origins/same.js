function inSame() { work(); } inSame();
