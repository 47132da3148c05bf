// Included by libwebrtc, which uses no declaration of it.
#pragma once
